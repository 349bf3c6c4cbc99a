export const texts = {
  title: 'Quick start',
  intro: 'From an API key to a first verified upload in less than two minutes.',
  createKey: 'Create an API key',
  keyTitle: '1. Create a key',
  keyText:
    'It is shown once. Put it in place of tnk_… below; the S3 access key is shown with it. For a key of an AI agent, set permissions, an expiry and a cap of traffic.',
  uploadTitle: '2. Upload and verify',
  ways: {
    cli: {
      title: 'Command line',
      text: 'Needs Node.js 20.19 or later. The CLI compares the CID with the node’s receipt, and verifies every block of a download.',
    },
    sdk: {
      title: 'SDK',
      text: 'For Node.js 20.19 or later, and browsers. Every block of a download is verified against the CID.',
    },
    curl: {
      title: 'curl',
      text: 'Needs curl and openssl. You compute the CID yourself and compare it with that of the node.',
    },
    s3: {
      title: 'S3',
      text: 'Needs rclone and the S3 access key of your API key. rclone downloads the file again and compares the bytes.',
    },
    mcp: {
      title: 'MCP',
      text: 'Needs Node.js 20.19 or later. One message calls the tool that uploads a file, as an AI agent would.',
    },
  },
  noS3: 'This network has no S3 endpoint; see “S3” below for a gateway of your own.',
  agentsTitle: 'Connect an AI agent',
  agentsText: 'Add one of these to the configuration of a program that speaks the Model Context Protocol (MCP).',
  doors: {
    local: {
      title: 'On your computer',
      text: 'The agent can upload and download local files, in the folder after --root only. What it reads is verified.',
    },
    portal: {
      title: 'Through the portal',
      text: 'Nothing to install. To read or upload a file, the agent gets an address at a storage node; the bytes do not pass through the portal.',
    },
  },
  agentFacts: [
    'Tools: list, read, upload and share files, show usage and caps, and price a workspace.',
    'The key limits what an agent can do: permissions, folders, expiry, and monthly caps of traffic and of orders.',
    'Every call of a tool is in the activity of your account, with the name of the key.',
  ],
  nextTitle: 'More',
  next: {
    api: 'HTTP API',
    s3: 'S3: configuration of clients, and limits',
    ipfs: 'IPFS: publish and read content by its CID',
    imports: 'Imports: from a web address, from IPFS or from another S3',
    developer: 'Examples, error codes and limits',
    llms: 'llms.txt: these docs for language models',
  },
}

export type Texts = typeof texts
