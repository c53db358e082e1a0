-- grain: one AI whose verdict is published
create or replace view published_verdicts as
select * from read_csv(
    getvariable('reference') || '/published_verdicts.csv',
    header = true,
    hive_partitioning = false,
    columns = {
        'ai': 'varchar', 'representatives_right': 'int', 'positions_right': 'int',
        'weakly_solved': 'boolean', 'source': 'varchar',
    }
);
