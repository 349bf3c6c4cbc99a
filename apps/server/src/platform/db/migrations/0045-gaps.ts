/**
 * A node that was not heard for longer than it may be silent was not proven to be online meanwhile, although nobody marked it offline:
 * no server ran, or none that looks for silent nodes. 90 seconds are three missed heartbeats.
 */
export const up = `
create function node_presence_gap() returns trigger language plpgsql as $$
begin
  update online_spans set ended = greatest(began, old.seen_at) where node_id = new.id and ended is null;
  insert into online_spans (node_id, began, address) values (new.id, new.seen_at, new.address)
    on conflict (node_id, began) do update set ended = null, address = excluded.address;
  return null;
end $$;
create trigger node_presence_gap after update of seen_at on nodes for each row
  when (old.status <> 'offline' and new.status <> 'offline' and new.seen_at > old.seen_at + interval '90 seconds')
  execute function node_presence_gap();
`
