-- Who posts which letters of the outbox, for a while: all of it, or what is in these shards.
create table lease (
    club bigint not null,
    worker text not null,
    until timestamptz not null,
    shards smallint[],
    primary key (club, worker)
);
drop table shard;
