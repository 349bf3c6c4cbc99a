/**
 * Nodes refuse every token of an account from the moment it is being deleted or is locked: also those that its owner, its other sessions and
 * its API keys got before, which name no share.
 */
export const up = `
create function end_account(owner bigint) returns void language plpgsql as $$
begin
  delete from ended_shares where noted_at < now() - interval '3 hours';
  insert into ended_shares (account, target) select uid, 'account' from users where id = owner;
  perform pg_notify('node_work', node_id) from (
    select distinct r.node_id from (select cid from assets where user_id = owner limit 500) held
      join replicas r on r.cid = held.cid where r.state = 'stored' limit 500
  ) holding;
end $$;

create function users_end() returns trigger language plpgsql as $$
begin
  perform end_account(old.id);
  return null;
end $$;
create trigger users_end_tokens after update of closing_at, locked_at on users for each row
  when ((old.closing_at is null and new.closing_at is not null) or (old.locked_at is null and new.locked_at is not null))
  execute function users_end();
`
