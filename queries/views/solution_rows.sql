-- grain: one class that the views below read: every one, unless some are put in the place of this
-- needs: solution
create or replace view solution_rows as
from solution_files;
