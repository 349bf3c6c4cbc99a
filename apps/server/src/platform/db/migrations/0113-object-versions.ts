/** Tags of objects, and settings of buckets. */
export const up = `
-- Files that came by other ways can have tags, and nothing else.
alter table object_details alter column etag drop not null, alter column modified_at drop not null,
  add column tags jsonb not null default '[]';
alter table object_uploads add column tags jsonb not null default '[]';

create table bucket_settings (
  -- A folder of the root, also while it is in the trash.
  folder_id bigint primary key,
  user_id bigint not null references users on delete cascade,
  cors jsonb not null default '[]'
);
create index bucket_settings_of_user on bucket_settings (user_id);

-- The folder of the root that a folder is, or is in.
create function bucket_of(account bigint, folder bigint) returns bigint language sql stable as $$
  with recursive above as (
    select id, parent_id from folders where id = folder and user_id = account
    union all select f.id, f.parent_id from above a join folders f on f.id = a.parent_id and f.user_id = account
  )
  select id from above where parent_id = 0
$$;
`
