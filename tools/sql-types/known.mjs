// Exceptions of `npm run sql`, with the reason. An unnecessary line is an error too.

/** Columns with text values or JSON that the schema does not limit with a check, so that row types cannot be compared. */
export const UNCHECKED_COLUMNS = [
  'audit_log.detail',
  'chat_messages.attachment',
  'earning_disputes.hours',
  'leads.kind',
  'log_queue.claims',
  'order_counts.status',
  'order_events.event',
  'order_notices.kind',
  'order_payments.message',
  'orders.lang',
  'receipts.kind',
  'reservations.kind',
  'session_keys.public_key',
  'team_events.kind',
  'temp_files.kind',
  'traces.details',
  'traces.state',
  'wallet_releases.kind',
  'workload_folders.base',
  'workload_folders.copying',
  'workload_folders.skipped',
  'workload_settings.health',
  'workload_settings.options',
  'workloads.health',
  'workloads.options',
]

/** Statements and fragments that are not read. */
export const UNREAD = {
  'apps/server/src/payments/orders/repository.ts setColumns':
    'the comma between columns: one column at a time is checked, and which ones are given is known only at run time',
  'apps/server/src/platform/erase.ts runSteps':
    'runs the steps of all features; each statement is checked where it is listed',
  'apps/server/src/portal/export/service.ts rowsOf':
    'pages through the parts of all features; each statement is checked where it is listed',
  'apps/server/src/platform/tasks/expired.ts deleteExpired':
    'runs the lists of all features; each statement is checked where it is listed',
}
