-- grain: one exact count of one game, with its source; ply is null for a total
create or replace view known_counts as
select * from read_csv(
    getvariable('reference') || '/known_counts.csv',
    header = true,
    hive_partitioning = false,
    columns = {
        'game': 'varchar', 'quantity': 'varchar', 'ply': 'int', 'count': 'hugeint',
        'source': 'varchar',
    }
);
