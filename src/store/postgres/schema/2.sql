-- What several workers share: letters that came in, lanes, shards of the outbox, who is at work.

-- Letters that wait, and those that are held for the moderator. Their place is the order in which
-- they came; a lane is a game's number, or 0.
create table inbox (
    club bigint not null,
    name text not null,
    place bigint not null,
    lane bigint not null,
    sender bytea not null,
    received timestamptz,
    held boolean not null default false,
    raw bytea not null,
    primary key (club, name)
);
create index inbox_waiting on inbox (club, place) where not held;
create index inbox_lane on inbox (club, lane, place) where not held;
create index inbox_sender on inbox (club, sender, place) where not held;
create index inbox_held on inbox (club, place) where held;

-- A lane is claimed by a lock on its row, so nothing changes here.
create table lane (
    club bigint not null,
    lane bigint not null,
    primary key (club, lane)
);

alter table outbox add column shard smallint not null default 0;
create index outbox_shard on outbox (club, shard, key);

create table shard (
    club bigint not null,
    shard smallint not null,
    holder text not null,
    until timestamptz not null,
    primary key (club, shard)
);
insert into shard (club, shard, holder, until)
    select club.id, shard.number, '', now() from club, generate_series(0, 63) as shard (number);

-- Who is at work holds a lock on his row, so a row without one is of somebody who is dead.
create table worker (
    club bigint not null,
    worker text not null,
    primary key (club, worker)
);

create table way_in (
    club bigint not null,
    way text not null,
    read_at timestamptz not null,
    primary key (club, way)
);

-- Where the club was moved to; nobody opens it here any more then.
alter table house add column moved text;
