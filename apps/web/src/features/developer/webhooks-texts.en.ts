export const texts = {
  title: 'Webhooks',
  intro:
    'The portal sends events of your account to your server as POST requests with JSON, signed according to Standard Webhooks. Create webhooks and send tests in the console.',
  open: 'Open webhooks',
  verify: 'Verify each request',
  verifyText:
    'Use the bytes of the body as they arrived, reject requests that are more than five minutes old, and process each webhook-id once: an event can arrive twice, and events can arrive in any order. Any library for Standard Webhooks works too.',
  ways: { sdk: 'TypeScript', python: 'Python' },
  events: 'Events',
  body: 'The body is { type, timestamp, data }. Ignore fields and events that you do not know.',
  when: {
    'asset.uploaded':
      'A file or uploaded folder is listed in the account, also after an instant upload. Not when it is restored from the trash.',
    'asset.deleted':
      'Assets were moved to the trash (trashed is true), or deleted for good. At most 500 CIDs; more come in further events.',
    'share.opened': 'Someone else downloaded a shared file. The same visitor counts once in 24 hours.',
    'order.status': 'The status of an order changed.',
    'replica.lost':
      'Copies of your content were lost and will be replaced: one event a minute at most, with the 100 contents that have the fewest copies left.',
  },
  retries: 'Answers and retries',
  rules: [
    'A status from 200 to 299 within ten seconds counts as delivered. Redirects are not followed.',
    'Status 410 disables the webhook.',
    'Anything else is repeated after the delays below, each varied by up to a tenth. Then you can send the event again in the console for 30 days.',
    'A webhook without a success for three days is disabled, and you get an e-mail.',
    'The URL must be a public https:// address, on port 443 or above 1023.',
  ],
  delays: 'Delays after each failed attempt',
}

export type Texts = typeof texts
