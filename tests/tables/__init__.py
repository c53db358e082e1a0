"""Tables: built, stored, killed, damaged, checked, asked in SQL."""
