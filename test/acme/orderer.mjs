// A program that orders one certificate into a folder, for tests that kill it.
import { createCertificates, createChallenges, createFolderStore } from '@tidenet/certificates'
import { createClock, createLogger } from '@tidenet/daemon'

const { directory, roots, folder, zone, names, offsetMs } = JSON.parse(process.argv[2])
const clock = createClock()
// The lease of a killed program has ended.
clock.move(offsetMs)
const store = createFolderStore(folder)
const certificates = createCertificates({
  directory,
  roots,
  store,
  challenges: createChallenges(store, clock),
  zones: [zone],
  clock,
  log: createLogger('test', 'silent'),
})
const state = await certificates.ensure(names)
process.send(state)
await certificates.stop()
process.disconnect()
