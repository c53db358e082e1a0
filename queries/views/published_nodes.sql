-- grain: one published node count of alpha-beta; where is_random, one random sample
create or replace view published_nodes as
select * replace (nullif(ordering, '') as ordering)
from read_csv(
    getvariable('reference') || '/published_nodes.csv',
    header = true,
    hive_partitioning = false,
    columns = {
        'scope': 'varchar', 'ordering': 'varchar', 'order_all': 'boolean',
        'shortest_victory': 'boolean', 'init_window': 'boolean', 'use_table': 'boolean',
        'is_random': 'boolean', 'nodes': 'int', 'source': 'varchar', 'note': 'varchar',
    }
);
