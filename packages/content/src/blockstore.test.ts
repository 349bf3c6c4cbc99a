import { memoryBlockstore } from './blockstore.ts'
import { blockstoreSuite } from './blockstore-suite.fixture.ts'

blockstoreSuite('memory', async () => ({ store: memoryBlockstore() }))
