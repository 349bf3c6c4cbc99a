import { codes } from '@tidenet/storage'
import { expect, it } from 'vitest'
import { sdkCodes } from './sdk-codes.ts'

it('has the codes of the SDK', () => expect(codes).toMatchObject(sdkCodes))
