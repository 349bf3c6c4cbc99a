import { Gauge, type Registry } from 'prom-client'
import { type Context, now } from '../context.ts'
import { certificateFigures } from './queue-repository.ts'

export function measureCertificates(registry: Registry, context: Pick<Context, 'config' | 'db' | 'clock'>): void {
  if (context.config.names.zone === '') return
  new Gauge({
    name: 'tidenet_server_node_certificates',
    help: 'Certificates of nodes: valid ones, requests that wait for a limit of the CA, and nodes whose certificate fails.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const figures = await certificateFigures(context.db, now(context)).catch(() => undefined)
      this.reset()
      if (!figures) return
      const { valid, waiting, failing } = figures
      for (const [state, count] of Object.entries({ valid, waiting, failing })) this.set({ state }, count)
    },
  })
}
