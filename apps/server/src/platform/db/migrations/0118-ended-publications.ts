/** Publications that ended, until their blocks are deleted: looking for them among all blocks took longer with every block. */
export const up = `
create table ended_publications (id bigint primary key);
insert into ended_publications
  select distinct b.publication_id from publication_blocks b
  where not exists (select from publications p where p.id = b.publication_id);

create function note_ended_publication() returns trigger language plpgsql as $$
begin
  insert into ended_publications values (old.id) on conflict do nothing;
  return null;
end $$;
create trigger publications_note_ended after delete on publications for each row execute function note_ended_publication();
`
