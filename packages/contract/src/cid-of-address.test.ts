import { expect, it } from 'vitest'
import { cidOfAddress } from './cid-of-address.ts'

const CID = 'bafybeib53togsdtminzjbvgkvsuqrxgnqtmr46pj7x7hknri3kydj3yshm'

it('finds the CID in the addresses of IPFS', () => {
  for (const address of [
    CID,
    ` ${CID}\n`,
    `ipfs://${CID}`,
    `ipfs://${CID}/`,
    `/ipfs/${CID}`,
    `http://127.0.0.1:8072/ipfs/${CID}/`,
    `https://ipfs.example.org/ipfs/${CID}?filename=a.txt`,
  ])
    expect(cidOfAddress(address)).toBe(CID)
})

it('takes nothing for the root that is below one, or is another kind of address', () => {
  for (const address of ['', `ipfs://${CID}/a.txt`, `/ipns/${CID}`, `https://example.org/${CID}`, 'ipfs://'])
    expect(cidOfAddress(address)).toBe(address)
})
