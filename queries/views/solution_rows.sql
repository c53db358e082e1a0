-- grain: one class that the views read: all classes, or those that an audit asks about
-- needs: solution
create or replace view solution_rows as
from solution_files;
