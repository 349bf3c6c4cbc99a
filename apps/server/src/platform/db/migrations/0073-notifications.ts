/** Which notices an account gets, and in which language. */
export const up = `
-- Only what differs from the default, which is on.
create table notification_choices (
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('ending', 'usage', 'orders', 'devices', 'earnings', 'teams', 'webhooks', 'support')),
  email boolean not null,
  portal boolean not null,
  primary key (user_id, kind)
);

-- The language in which the account was last used.
create table account_languages (
  user_id bigint primary key references users on delete cascade,
  lang text not null check (lang in ('en', 'cn'))
);
insert into account_languages (user_id, lang)
select distinct on (user_id) user_id, lang from (
  select user_id, lang, created_at as at from orders
  union all select user_id, lang, created_at from webhooks
  union all select owner_id, owner_lang, linked_at from nodes where owner_id is not null
) known where lang in ('en', 'cn') order by user_id, at desc nulls last;

insert into notification_choices (user_id, kind, email, portal) select user_id, 'earnings', false, true from weekly_summaries_off;
drop table weekly_summaries_off;

-- Ends e-mails of this kind, also for a mail program by RFC 8058; '': they cannot be ended.
alter table mails add column unsubscribe text not null default '';
`
