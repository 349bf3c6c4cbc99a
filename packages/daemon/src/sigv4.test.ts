import { RequestSigner } from 'aws4'
import { describe, expect, it } from 'vitest'
import { scopeText, sessionProof, signatureOf, signingKey } from './sigv4.ts'

/** The examples of the S3 documentation: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const SCOPE = { date: '20130524', region: 'us-east-1' }
const key = signingKey(SECRET, SCOPE.date, SCOPE.region)
const sign = (hash: string, signed = key) =>
  signatureOf(signed, `AWS4-HMAC-SHA256\n20130524T000000Z\n${scopeText(SCOPE)}\n${hash}`).toString('hex')

describe('the signature of an S3 request', () => {
  it.each([
    [
      'an object that is read',
      '7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972',
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'an object that is written',
      '9e0e90d9c76de8fa5b200d8c849cd5b8dc7a3be3951ddb7f6a76b4158342019d',
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    [
      'a presigned URL',
      '3bfa292879f6447bbcda7001decf97f4a54dc650c8942174ae0a9121cf58ad04',
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    ],
  ])('is that of the published example: %s', (_, hash, signature) => {
    expect(sign(hash)).toBe(signature)
  })

  it.each([
    ['us-east-1', '/bucket/a%20key?list-type=2', 'GET'],
    ['eu-central-1', '/bucket/%E6%96%87%E4%BB%B6', 'PUT'],
    ['auto', '/?X-Amz-Expires=60', 'GET'],
  ])('is that of another implementation, for region %s and %s', (region, path, method) => {
    for (const secret of [SECRET, 'x', '+/=&%'.repeat(8)]) {
      const request = { service: 's3', region, host: 's3.example.org', path, method, body: 'x' }
      const signer = new RequestSigner(
        { ...request, headers: { 'X-Amz-Date': '20260131T235959Z' } },
        { accessKeyId: 'TN', secretAccessKey: secret },
      )
      signer.prepareRequest()
      const stringToSign = signer.stringToSign()
      expect(stringToSign.split('\n')[2]).toBe(scopeText({ date: '20260131', region }))
      expect(signatureOf(signingKey(secret, '20260131', region), stringToSign).toString('hex')).toBe(signer.signature())
    }
  })

  it('differs by secret, date and region', () => {
    const hash = '0'.repeat(64)
    const keys = [
      key,
      signingKey(`${SECRET}x`, SCOPE.date, SCOPE.region),
      signingKey(SECRET, '20130525', SCOPE.region),
      signingKey(SECRET, SCOPE.date, 'eu-west-1'),
    ]
    expect(new Set(keys.map((each) => sign(hash, each))).size).toBe(keys.length)
  })
})

it('a proof of the secret is for one access key and second', () => {
  const proofs = [
    sessionProof(SECRET, 'TN1', 1_700_000_000),
    sessionProof(SECRET, 'TN2', 1_700_000_000),
    sessionProof(SECRET, 'TN1', 1_700_000_001),
    sessionProof(`${SECRET}x`, 'TN1', 1_700_000_000),
  ]
  expect(new Set(proofs.map((proof) => proof.toString('hex'))).size).toBe(proofs.length)
})
