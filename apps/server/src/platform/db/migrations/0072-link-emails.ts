/** Short links that only people with certain e-mail addresses can open. */
export const up = `
-- Null: everybody who has the link.
alter table short_links add column emails text[] check (cardinality(emails) between 1 and 50);
drop trigger short_links_end_changed on short_links;
create trigger short_links_end_changed after update of pass, expires_at, active, revoked_at, emails on short_links for each row
  when (old.pass is distinct from new.pass or old.expires_at is distinct from new.expires_at or (old.active and not new.active)
    or (old.revoked_at is null and new.revoked_at is not null) or old.emails is distinct from new.emails)
  execute function short_links_end();
`
