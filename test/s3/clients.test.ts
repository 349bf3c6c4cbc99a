import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3Client } from '@aws-sdk/client-s3'
import type { Network } from '@tidenet/testnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCertificate, startGateway } from '../network/s3-gateway.ts'
import { startNetwork } from '../network/test-network.ts'
import { largeAccount } from './large-account.ts'
import { createPrograms, type Endpoint, hasMc, type Programs, REMOTE, sdkConfig } from './programs.ts'
import { treeOf, treeOfBucket, writeTree } from './tree.ts'

/** Programs that people already have, against the gateway, unmodified. Whatever one of them wrote, another one reads. */

let network: Network
let folder: string
beforeAll(async () => {
  network = await startNetwork({ nodes: 3, s3: { port: 0 } })
  folder = await mkdtemp(join(tmpdir(), 'tidenet-s3-'))
})
afterAll(async () => {
  await network?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Of the gateway in a way, with a new account. */
async function open(way: string): Promise<Endpoint> {
  const { credentials } = await largeAccount(network)
  if (way === 'http') return { url: network.s3Url, ...credentials, caFile: undefined }
  const tls = await createCertificate(network)
  const own = way === 'a gateway that runs alone' ? { own: credentials } : {}
  const gateway = await startGateway(network, { tls, ...own })
  stops.push(() => gateway.program.stop())
  return { url: gateway.url, ...credentials, caFile: tls.caFile }
}
const stops: (() => Promise<void>)[] = []
afterAll(() => Promise.all(stops.map((stop) => stop())))

describe.each(['http', 'https', 'a gateway that runs alone'])('over %s', (way) => {
  let endpoint: Endpoint
  let programs: Programs
  let sdk: S3Client
  let source: string
  let tree: Awaited<ReturnType<typeof writeTree>>
  beforeAll(async () => {
    endpoint = await open(way)
    const own = await mkdtemp(join(folder, 'client-'))
    programs = await createPrograms(own, endpoint)
    const ca = endpoint.caFile && (await readFile(endpoint.caFile))
    sdk = new S3Client({ ...sdkConfig(endpoint), ...(ca && { requestHandler: { httpsAgent: new Agent({ ca }) } }) })
    source = join(own, 'source')
    tree = await writeTree(source)
  })
  const fresh = () => mkdtemp(join(folder, 'fetched-'))

  it('rclone syncs a tree both ways, and finds no difference', async () => {
    const bucket = `${REMOTE}:rclone`
    await programs.rclone('mkdir', bucket)
    await programs.rclone('sync', source, bucket)
    expect(await treeOfBucket(sdk, 'rclone')).toEqual(tree)
    await programs.rclone('check', source, bucket)
    const back = await fresh()
    await programs.rclone('sync', bucket, back)
    expect(await treeOf(back)).toEqual(tree)
    await programs.rclone('check', '--download', source, bucket)

    // What goes at the source goes at the other end, too; nothing else is sent again.
    await rm(join(back, 'parts.bin'))
    await writeFile(join(back, 'new +%.txt'), 'new')
    const { stderr } = await programs.rclone('sync', '-v', back, bucket)
    expect(stderr).toMatch(/Transferred:\s+1 \/ 1, 100%/)
    expect(Object.keys(await treeOfBucket(sdk, 'rclone'))).toEqual(Object.keys(await treeOf(back)))
    await programs.rclone('purge', bucket)
    expect((await programs.rclone('lsd', `${REMOTE}:`)).stdout).not.toContain('rclone')
  })

  it('restic backs up, checks all data and restores', async () => {
    const repository = ['-r', `s3:${endpoint.url}/restic/laptop`]
    await programs.restic(...repository, 'init')
    await programs.restic(...repository, 'backup', source)
    await writeFile(join(source, 'with space/later'), 'later')
    await programs.restic(...repository, 'backup', source)
    await rm(join(source, 'with space/later'))
    await programs.restic(...repository, 'check', '--read-data')
    const target = await fresh()
    const { stdout } = await programs.restic(...repository, 'snapshots', '--json')
    const [first] = JSON.parse(stdout) as { id: string }[]
    await programs.restic(...repository, 'restore', first?.id ?? '', '--target', target)
    expect(await treeOf(join(target, source))).toEqual(tree)
    await programs.restic(...repository, 'forget', '--keep-last', '1', '--prune')
    await programs.restic(...repository, 'check')
  })

  it('s3cmd makes a bucket, puts, gets, describes and syncs', async () => {
    await programs.s3cmd('mb', 's3://s3cmd')
    const file = join(source, '照片/海滩 一.bin')
    await programs.s3cmd('put', file, 's3://s3cmd/a b/海滩+%.bin')
    const back = await fresh()
    await programs.s3cmd('get', 's3://s3cmd/a b/海滩+%.bin', join(back, 'one'))
    expect((await readFile(join(back, 'one'))).equals(await readFile(file))).toBe(true)
    expect((await programs.s3cmd('info', 's3://s3cmd/a b/海滩+%.bin')).stdout).toMatch(/File size:\s+40960/)
    await programs.s3cmd('sync', `${source}/`, 's3://s3cmd/tree/')
    expect(await treeOfBucket(sdk, 's3cmd', 'tree/')).toEqual(tree)
    const all = join(back, 'all')
    await programs.s3cmd('sync', 's3://s3cmd/tree/', `${all}/`)
    expect(await treeOf(all)).toEqual(tree)
    expect((await programs.s3cmd('ls', 's3://s3cmd/tree/')).stdout).toContain('DIR')
    await programs.s3cmd('del', '--recursive', '--force', 's3://s3cmd')
    await programs.s3cmd('rb', 's3://s3cmd')
  })

  it('aws copies in parts, syncs both ways, moves and removes', async () => {
    await programs.aws('s3', 'mb', 's3://aws-cli')
    await programs.aws('s3', 'cp', '--only-show-errors', join(source, 'parts.bin'), 's3://aws-cli/one/parts.bin')
    expect(await treeOfBucket(sdk, 'aws-cli', 'one/')).toEqual({ 'parts.bin': tree['parts.bin'] })
    await programs.aws('s3', 'sync', '--only-show-errors', source, 's3://aws-cli/tree')
    expect(await treeOfBucket(sdk, 'aws-cli', 'tree/')).toEqual(tree)
    const back = await fresh()
    await programs.aws('s3', 'sync', '--only-show-errors', 's3://aws-cli/tree', back)
    expect(await treeOf(back)).toEqual(tree)
    await programs.aws('s3', 'mv', '--only-show-errors', 's3://aws-cli/one/parts.bin', 's3://aws-cli/two.bin')
    await programs.aws('s3', 'rb', '--force', 's3://aws-cli')
  })

  it('curl uses addresses that aws and boto3 presigned', async () => {
    await programs.aws('s3', 'mb', 's3://presigned')
    const presign = `
import boto3, sys
print(boto3.client('s3').generate_presigned_url('put_object', Params={'Bucket': 'presigned', 'Key': sys.argv[1]}, ExpiresIn=60))`
    const key = 'with space/海滩+%.bin'
    const file = join(source, '照片/海滩 一.bin')
    const { stdout: put } = await programs.python(presign, key)
    await programs.curl('--upload-file', file, put.trim())
    const { stdout: get } = await programs.aws('s3', 'presign', `s3://presigned/${key}`, '--expires-in', '60')
    const back = join(await fresh(), 'back')
    await programs.curl('-o', back, get.trim())
    expect((await readFile(back)).equals(await readFile(file))).toBe(true)
    await expect(programs.curl('-o', back, get.trim().replace('presigned/', 'presigned/x'))).rejects.toThrow('403')
  })

  it('boto3 puts, gets, copies, lists and removes with its defaults', async () => {
    const script = `
import boto3, hashlib, io, sys
s3 = boto3.client('s3')
s3.create_bucket(Bucket='boto3')
data = open(sys.argv[1], 'rb').read()
s3.put_object(Bucket='boto3', Key='small', Body=data[:1000], Metadata={'taken': 'now'}, ContentType='image/x-tide')
s3.upload_file(sys.argv[1], 'boto3', 'large')
s3.upload_fileobj(io.BytesIO(data), 'boto3', 'stream', ExtraArgs={'ChecksumAlgorithm': 'SHA256'})
for key in ('large', 'stream'):
    body = s3.get_object(Bucket='boto3', Key=key)['Body'].read()
    assert hashlib.sha256(body).digest() == hashlib.sha256(data).digest(), key
small = s3.get_object(Bucket='boto3', Key='small')
assert small['Body'].read() == data[:1000] and small['Metadata'] == {'taken': 'now'}, small
assert small['ContentType'] == 'image/x-tide', small
s3.copy({'Bucket': 'boto3', 'Key': 'large'}, 'boto3', 'copied')
part = s3.get_object(Bucket='boto3', Key='copied', Range='bytes=100-199')
assert part['Body'].read() == data[100:200] and part['ContentRange'] == 'bytes 100-199/%d' % len(data), part
keys = [each['Key'] for each in s3.list_objects_v2(Bucket='boto3')['Contents']]
assert keys == ['copied', 'large', 'small', 'stream'], keys
try:
    s3.get_object(Bucket='boto3', Key='nothing')
    assert False
except s3.exceptions.NoSuchKey:
    pass
s3.delete_objects(Bucket='boto3', Delete={'Objects': [{'Key': key} for key in keys]})
s3.delete_bucket(Bucket='boto3')
`
    await programs.python(script, join(source, 'parts.bin'))
  })

  it('rclone shows and restores versions, and aws and boto3 set what a bucket has', async () => {
    const api = (...words: string[]) => programs.aws('s3api', ...words, '--bucket', 'versions')
    await programs.aws('s3', 'mb', 's3://versions')
    await api('put-bucket-versioning', '--versioning-configuration', 'Status=Enabled')
    expect((await api('get-bucket-versioning')).stdout).toContain('Enabled')
    const file = join(await fresh(), 'note.txt')
    const remote = `${REMOTE}:versions`
    for (const text of ['first', 'second!']) {
      await writeFile(file, text)
      await programs.rclone('copyto', file, `${remote}/note.txt`)
    }
    await programs.rclone('delete', remote)
    expect((await programs.rclone('lsf', remote)).stdout).toBe('')
    const { stdout: listed } = await programs.rclone('lsf', '--s3-versions', remote)
    const names = listed.trim().split('\n')
    expect(names).toHaveLength(2)
    const contents = await Promise.all(
      names.map(async (name) => (await programs.rclone('cat', '--s3-versions', `${remote}/${name}`)).stdout),
    )
    expect(contents.toSorted()).toEqual(['first', 'second!'])

    const rules = JSON.stringify({
      Rules: [{ ID: 'old', Status: 'Enabled', Filter: { Prefix: 'tmp/' }, Expiration: { Days: 3 } }],
    })
    await api('put-bucket-lifecycle-configuration', '--lifecycle-configuration', rules)
    expect((await api('get-bucket-lifecycle-configuration')).stdout).toContain('tmp/')
    const cors = { CORSRules: [{ AllowedOrigins: ['https://app.example'], AllowedMethods: ['GET'] }] }
    await api('put-bucket-cors', '--cors-configuration', JSON.stringify(cors))
    expect((await api('get-bucket-cors')).stdout).toContain('https://app.example')

    await programs.python(`
import boto3
s3 = boto3.resource('s3')
bucket = s3.Bucket('versions')
s3.meta.client.put_object(Bucket='versions', Key='tagged', Body=b'x', Tagging='kind=note')
tags = s3.meta.client.get_object_tagging(Bucket='versions', Key='tagged')['TagSet']
assert tags == [{'Key': 'kind', 'Value': 'note'}], tags
marker = [each for each in bucket.object_versions.filter(Prefix='note.txt') if each.size is None]
assert len(marker) == 1, marker
marker[0].delete()
assert s3.Object('versions', 'note.txt').get()['Body'].read() == b'second!'
bucket.object_versions.delete()
assert list(bucket.object_versions.all()) == []
bucket.delete()
`)
  })

  it('aws and boto3 tag, page through versions, and see what a rule will delete and has deleted', async () => {
    const script = `
import boto3, datetime, io, time
s3 = boto3.client('s3')
s3.create_bucket(Bucket='rules')
s3.put_bucket_versioning(Bucket='rules', VersioningConfiguration={'Status': 'Enabled'})
tag = lambda key: s3.get_object_tagging(Bucket='rules', Key=key)['TagSet']
written = [s3.put_object(Bucket='rules', Key='in/a', Body=b'x' * n, Tagging='n=%d' % n)['VersionId'] for n in range(1, 8)]
s3.upload_fileobj(io.BytesIO(b'y' * (6 << 20)), 'rules', 'in/parts',
    ExtraArgs={'Tagging': 'kind=large'}, Config=boto3.s3.transfer.TransferConfig(multipart_threshold=5 << 20, multipart_chunksize=5 << 20))
assert tag('in/parts') == [{'Key': 'kind', 'Value': 'large'}], tag('in/parts')
assert s3.get_object_tagging(Bucket='rules', Key='in/a', VersionId=written[2])['TagSet'] == [{'Key': 'n', 'Value': '3'}]
s3.copy_object(Bucket='rules', Key='copy', CopySource={'Bucket': 'rules', 'Key': 'in/a', 'VersionId': written[0]})
assert tag('copy') == [{'Key': 'n', 'Value': '1'}], tag('copy')
pages = s3.get_paginator('list_object_versions').paginate(Bucket='rules', Prefix='in/a', PaginationConfig={'PageSize': 2})
listed = [each['VersionId'] for page in pages for each in page.get('Versions', [])]
assert listed == written[::-1], listed
later = datetime.datetime(2099, 1, 1, tzinfo=datetime.timezone.utc)
rule = lambda name, date: {'Rules': [{'ID': name, 'Status': 'Enabled', 'Filter': {'Prefix': 'in/'}, 'Expiration': {'Date': date}}]}
s3.put_bucket_lifecycle_configuration(Bucket='rules', LifecycleConfiguration=rule('later', later))
expected = 'expiry-date="Thu, 01 Jan 2099 00:00:00 GMT", rule-id="later"'
assert s3.head_object(Bucket='rules', Key='in/parts')['Expiration'] == expected, s3.head_object(Bucket='rules', Key='in/parts')
assert 'Expiration' not in s3.head_object(Bucket='rules', Key='copy')
past = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
s3.put_bucket_lifecycle_configuration(Bucket='rules', LifecycleConfiguration=rule('past', past))
for _ in range(300):
    keys = [each['Key'] for each in s3.list_objects_v2(Bucket='rules').get('Contents', [])]
    if keys == ['copy']: break
    time.sleep(0.2)
assert keys == ['copy'], keys
markers = s3.list_object_versions(Bucket='rules')['DeleteMarkers']
assert [each['Key'] for each in markers] == ['in/a', 'in/parts'], markers
boto3.resource('s3').Bucket('rules').object_versions.delete()
s3.delete_bucket(Bucket='rules')
`
    await programs.python(script)
  })

  it('curl reads for pages of other origins what the rules of the bucket allow, as a browser would', async () => {
    await programs.aws('s3', 'mb', 's3://cors')
    const cors = { CORSRules: [{ AllowedOrigins: ['https://app.example'], AllowedMethods: ['GET'] }] }
    await programs.aws('s3api', 'put-bucket-cors', '--bucket', 'cors', '--cors-configuration', JSON.stringify(cors))
    await programs.aws('s3', 'cp', '--only-show-errors', join(source, '照片/海滩 一.bin'), 's3://cors/a')
    const { stdout } = await programs.aws('s3', 'presign', 's3://cors/a', '--expires-in', '60')
    const headersOf = async (origin: string, ...more: string[]) =>
      (
        await programs.curl(
          '-D',
          '-',
          '-o',
          join(await fresh(), 'body'),
          '-H',
          `Origin: ${origin}`,
          ...more,
          stdout.trim(),
        )
      ).stdout
    const asked = ['-X', 'OPTIONS', '-H', 'Access-Control-Request-Method: GET']
    const allowed = /^access-control-allow-origin: https:\/\/app\.example\r$/im
    expect(await headersOf('https://app.example', ...asked)).toMatch(allowed)
    expect(await headersOf('https://app.example')).toMatch(allowed)
    expect(await headersOf('https://other.example')).not.toMatch(/^access-control-allow-origin/im)
    await expect(headersOf('https://other.example', ...asked)).rejects.toThrow('403')
    await programs.aws('s3', 'rb', '--force', 's3://cors')
  })

  it.skipIf(!hasMc())('mc mirrors both ways, and streams', async () => {
    const bucket = `${REMOTE}/minio-client`
    await programs.mc('mb', bucket)
    await programs.mc('mirror', source, `${bucket}/tree`)
    expect(await treeOfBucket(sdk, 'minio-client', 'tree/')).toEqual(tree)
    const back = await fresh()
    await programs.mc('mirror', `${bucket}/tree`, back)
    expect(await treeOf(back)).toEqual(tree)
    expect((await programs.mc('stat', '--json', `${bucket}/tree/parts.bin`)).stdout).toContain('31457280')
    await programs.mcFrom(join(source, 'parts.bin'), 'pipe', `${bucket}/piped`)
    const { 'parts.bin': large } = tree
    expect(await treeOfBucket(sdk, 'minio-client', 'piped')).toEqual({ '': large })
    await programs.mc('rb', '--force', bucket)
  })
})

describe('a tool that encrypts by itself', () => {
  it('is rclone crypt, whose names and bytes say nothing to the network', async () => {
    const endpoint = await open('http')
    const own = await mkdtemp(join(folder, 'crypt-'))
    const programs = await createPrograms(own, endpoint)
    const source = join(own, 'source')
    const tree = await writeTree(source, { small: 2 })
    await programs.rclone('mkdir', `${REMOTE}:sealed`)
    const { stdout: password } = await programs.rclone('obscure', randomBytes(12).toString('hex'))
    const sealed = `:crypt,remote="${REMOTE}:sealed",password=${password.trim()}:`
    await programs.rclone('sync', source, sealed)
    const client = new S3Client(sdkConfig(endpoint))
    const stored = await treeOfBucket(client, 'sealed')
    expect(Object.keys(stored)).toHaveLength(Object.keys(tree).length)
    expect(Object.keys(stored)).not.toContain('parts.bin')
    const back = join(own, 'back')
    await programs.rclone('sync', sealed, back)
    expect(await treeOf(back)).toEqual(tree)
  })
})
