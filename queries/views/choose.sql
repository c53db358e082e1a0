-- grain: the number of ways to choose k of n things
create or replace macro choose(n, k) as
case
    when k between 0 and n
        then list_reduce(range(1, (k + 1)::bigint), lambda ways, i: ways * (n - k + i) // i, 1::hugeint)
    else 0
end::bigint;
