-- grain: one published result of AI against AI, from a sample of games
create or replace view published_matches as
select * from read_csv(
    getvariable('reference') || '/published_matches.csv',
    header = true,
    hive_partitioning = false,
    columns = {
        'ai': 'varchar', 'opponent': 'varchar', 'side': 'varchar', 'games': 'int',
        'win_percent': 'double', 'lose_percent': 'double', 'draw_percent': 'double',
        'source': 'varchar', 'note': 'varchar',
    }
);
