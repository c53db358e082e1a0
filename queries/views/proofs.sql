-- grain: a class of a proof: a set of classes that proves a bound of the empty board's score
create or replace view proofs as
select * from read_parquet(getvariable('files')['proofs'], hive_partitioning = false);
