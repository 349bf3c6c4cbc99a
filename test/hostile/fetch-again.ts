/** Like `fetch`, with a second attempt: a busy process may notice too late that the server closed a connection it kept open. */
export const fetchAgain = (...request: Parameters<typeof fetch>): Promise<Response> =>
  fetch(...request).catch(() => fetch(...request))
