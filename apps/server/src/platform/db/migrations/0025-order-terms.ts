/** Orders: standard names for leases, workspace states and reasons of refunds. */
export const up = `
alter table orders rename column held_until to leased_until;

alter table orders drop constraint orders_workspace_check;
update orders set workspace = case workspace
  when 'there' then 'active' when 'kept' then 'suspended' when 'moved' then 'transferred' else 'removed' end
  where workspace <> 'none';
alter table orders add constraint orders_workspace_check check (workspace in ('none', 'active', 'suspended', 'transferred', 'removed'));

-- rejected: the payment does not match, all of it is refunded; unrequested: nobody ordered it here, unused hours are refunded.
alter table orders drop constraint orders_ending_check;
update orders set ending = case ending when 'returned' then 'rejected' else 'unrequested' end where ending in ('returned', 'unasked');
alter table orders add constraint orders_ending_check check (ending in ('terminated', 'expired', 'failed', 'rejected', 'unrequested'));
`
