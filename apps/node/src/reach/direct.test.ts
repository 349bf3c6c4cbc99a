import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createLogger } from '@tidenet/daemon'
import { expect, it } from 'vitest'
import { CONNECTIONS_OF_NETWORK, openDirect } from './direct.ts'

it('leaves connections for others, however many one network opens, and gives them back', async () => {
  const visitors: Socket[] = []
  const direct = await openDirect({
    how: { address: '127.0.0.1', port: 0 },
    onVisitor: (socket) => visitors.push(socket),
    log: createLogger('test', 'silent'),
  })
  const { address: host, port } = direct.place() ?? { address: '', port: 0 }
  const clients = Array.from({ length: CONNECTIONS_OF_NETWORK }, () => connect({ host, port }))
  await expect.poll(() => visitors.length).toBe(CONNECTIONS_OF_NETWORK)
  const refused = connect({ host, port }).on('error', () => {})
  await once(refused, 'close')
  expect(visitors).toHaveLength(CONNECTIONS_OF_NETWORK)
  clients[0]?.destroy()
  await expect.poll(() => visitors[0]?.destroyed).toBe(true)
  clients.push(connect({ host, port }))
  await expect.poll(() => visitors.length).toBe(CONNECTIONS_OF_NETWORK + 1)
  for (const client of clients) client.destroy()
  await direct.stop()
})
