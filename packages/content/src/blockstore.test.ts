import { memoryBlockstore } from './blockstore.ts'
import { blockstoreSuite } from './blockstore-suite.ts'

blockstoreSuite('memory', async () => ({ store: memoryBlockstore() }))
