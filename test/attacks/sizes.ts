/** `npm run test:long` attacks with more requests and values. */
export const long = process.env.TIDENET_TEST_LONG === 'yes'

/** Concurrent requests in a race: many more than the server has database connections. */
export const MANY = long ? 1000 : 250
