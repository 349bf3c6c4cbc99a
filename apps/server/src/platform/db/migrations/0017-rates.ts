/**
 * What the price of further hours of an order is held against. Orders from before have one price for all their hours, as the contract has it
 * for them.
 */
export const up = `
alter table orders add column rate_price bigint;
alter table orders add column rate_hours int check (rate_hours > 0);
update orders set rate_price = price, rate_hours = duration;
alter table orders alter column rate_price set not null;
alter table orders alter column rate_hours set not null;
-- Also: made in the place of another one, though nobody was asked to pay for it.
alter table orders drop constraint orders_ending_check;
alter table orders add constraint orders_ending_check check (ending in ('terminated', 'expired', 'failed', 'returned', 'unasked'));
`
