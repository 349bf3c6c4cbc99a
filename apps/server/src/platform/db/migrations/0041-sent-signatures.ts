/** Nodes sign what they sent; a download gets a receipt when client and node have signed. */
export const up = `
-- sent: the largest number of bytes that the node signed. Both signatures are canonical base64url.
alter table trace_sent
  add column sent bigint not null default 0,
  add column received_signature text not null default '',
  add column sent_signature text not null default '',
  -- When a receipt is issued for what is signed; null: nothing is new.
  add column receipt_at timestamptz,
  add column receipt_id bigint,
  add column receipt_issued_at timestamptz;
create index trace_sent_receipt_due on trace_sent (receipt_at) where receipt_at is not null;
create index trace_sent_receipts on trace_sent (node_id, receipt_issued_at) where receipt_id is not null;
`
