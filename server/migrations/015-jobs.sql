-- Work that is done outside the serving processes: what waits, what runs and until when it is its worker's, what was done.
create table job (
  id uuid primary key,
  kind text not null,
  -- Jobs of one lane never run at the same time.
  lane text not null,
  payload jsonb not null,
  state text not null check (state in ('waiting', 'running', 'done', 'dead', 'cancelled')),
  -- Each claim counts one up: who ends an attempt that is not the newest changes nothing.
  attempts integer not null default 0,
  failures integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  -- Where it ran last, by machine and process.
  worker text,
  lease_until timestamptz,
  progress text,
  result jsonb,
  -- Ids of the jobs that followed from it.
  next jsonb not null default '[]',
  error jsonb
);
-- Whoever asks for what is waiting already gets that job.
create unique index job_waiting on job (kind, md5(payload::text)) where state = 'waiting';
create unique index job_running on job (lane) where state = 'running';
create index job_due on job (due_at) where state = 'waiting';
create index job_finished on job (finished_at);
create index job_created on job (kind, created_at);
