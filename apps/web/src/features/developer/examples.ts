import browserDownload from '../../../../../examples/browser/download.js?raw'
import browserList from '../../../../../examples/browser/list.js?raw'
import browserShare from '../../../../../examples/browser/share.js?raw'
import browserUpload from '../../../../../examples/browser/upload.js?raw'
import cliDownload from '../../../../../examples/cli/download.sh?raw'
import cliList from '../../../../../examples/cli/list.sh?raw'
import cliShare from '../../../../../examples/cli/share.sh?raw'
import cliUpload from '../../../../../examples/cli/upload.sh?raw'
import nodeShare from '../../../../../examples/create-shared-link.mjs?raw'
import curlDownload from '../../../../../examples/curl/download.sh?raw'
import curlList from '../../../../../examples/curl/list.sh?raw'
import curlShare from '../../../../../examples/curl/share.sh?raw'
import curlUpload from '../../../../../examples/curl/upload.sh?raw'
import nodeDownload from '../../../../../examples/download-asset.mjs?raw'
import nodeList from '../../../../../examples/list-directory-contents.mjs?raw'
import nodeUpload from '../../../../../examples/upload-asset.mjs?raw'

import type { Step } from './steps.ts'

/** Example programs of this repository; the tests run them. */
export const examples: Record<Step, { node: string; browser: string; cli: string; curl: string }> = {
  upload: { node: nodeUpload, browser: browserUpload, cli: cliUpload, curl: curlUpload },
  list: { node: nodeList, browser: browserList, cli: cliList, curl: curlList },
  download: { node: nodeDownload, browser: browserDownload, cli: cliDownload, curl: curlDownload },
  share: { node: nodeShare, browser: browserShare, cli: cliShare, curl: curlShare },
}
