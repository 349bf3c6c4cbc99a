import type { Stored } from './send-to-nodes.ts'
import type { UploadedAsset } from './types.ts'

/** The result of an uploaded file, without what only its account can query. */
export const uploadedAs = (
  { name, encrypted }: { name: string; encrypted: boolean },
  size: number,
  traceId: string,
  stored: Stored,
): UploadedAsset => ({
  cid: stored.cid,
  url: '',
  name,
  size,
  assetType: 'file',
  isFastUpload: stored.nodeId === '',
  isAlreadyExist: false,
  encrypted,
  nodeId: stored.nodeId,
  traceId,
  receipt_id: null,
})
