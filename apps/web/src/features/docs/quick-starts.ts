/** Commands from an API key to a first verified upload. The tests run them as they are shown. */

export const quickStartWays = ['cli', 'sdk', 'curl', 's3', 'mcp'] as const
export type QuickStartWay = (typeof quickStartWays)[number]

/** Stand for what the reader has. */
export const SAMPLE_KEY = 'tnk_…'
export const SAMPLE_ACCESS_KEY = { id: 'TN…', secret: '…' }

const variables = (origin: string) => `export TIDENET_URL=${origin}
export TIDENET_TOKEN=${SAMPLE_KEY}`

const installCli = (origin: string) => `curl -O ${origin}/downloads/tidenet-cli.tgz
npm install -g ./tidenet-cli.tgz`

/** @param s3Url the S3 endpoint of the network */
export const quickStarts = (origin: string, s3Url: string): Record<QuickStartWay, string> => ({
  cli: `${variables(origin)}
${installCli(origin)}

echo 'the tide comes in' > tide.txt
tidenet up tide.txt
tidenet get /tide.txt --to back.txt
cmp tide.txt back.txt && echo verified`,

  sdk: `${variables(origin)}
npm install ${origin}/downloads/tidenet-storage.tgz

cat > first.mjs <<'END'
import { createStorage } from '@tidenet/storage'

const storage = createStorage({ url: process.env.TIDENET_URL, token: process.env.TIDENET_TOKEN })
const bytes = new TextEncoder().encode('the tide turns')

const stored = await storage.uploadAsset(bytes, { name: 'turn.txt' })
if (stored.code !== 0) throw new Error(stored.msg)

// Every block is verified against the CID.
const { cid } = stored.data
const read = await storage.downloadAsset({ assetCid: cid, assetType: 'file', to: { path: 'turn.txt' } })
if (read.code !== 0) throw new Error(read.msg)
console.log('verified', cid)
END
node first.mjs`,

  curl: `${variables(origin)}

api=$TIDENET_URL/api/v1/storage
key="JwtAuthorization: Bearer $TIDENET_TOKEN"
field() { grep -o "\\"$1\\":\\"[^\\"]*\\"" | head -1 | cut -d'"' -f4; }
echo 'the tide goes out' > ebb.txt
size=$(($(wc -c < ebb.txt)))

# A node for a file of this size, and a token for it.
info=$(curl -sS "$api/get_upload_info?size=$size" -H "$key")
node=$(echo "$info" | field UploadURL)
stored=$(curl -sS "$node" -H "Authorization: Bearer $(echo "$info" | field Token)" -F file=@ebb.txt)
cid=$(echo "$stored" | field cid)

# The CID of a file of up to 256 KiB is its SHA-256: compute it yourself.
own=b$({ printf '\\001\\125\\022\\040'; openssl dgst -sha256 -binary ebb.txt; } | base32 | tr 'A-Z' 'a-z' | tr -d '=\\n')
test "$cid" = "$own" && echo "verified $cid"

# The node's signed receipt puts the file into the account.
curl -sS "$api/create_asset" -H "$key" -H 'Content-Type: application/json' -d "{
  \\"asset_name\\": \\"ebb.txt\\", \\"asset_type\\": \\"file\\", \\"asset_size\\": $size,
  \\"asset_cid\\": \\"$cid\\", \\"receipt\\": \\"$(echo "$stored" | field receipt)\\"
}"`,

  s3: `export RCLONE_CONFIG_TIDENET_TYPE=s3
export RCLONE_CONFIG_TIDENET_PROVIDER=Other
export RCLONE_CONFIG_TIDENET_ENDPOINT=${s3Url}
export RCLONE_CONFIG_TIDENET_ACCESS_KEY_ID=${SAMPLE_ACCESS_KEY.id}
export RCLONE_CONFIG_TIDENET_SECRET_ACCESS_KEY=${SAMPLE_ACCESS_KEY.secret}

mkdir -p tides
echo 'the tide is high' > tides/high.txt
rclone copy tides tidenet:tides
rclone check --download tides tidenet:tides && echo verified`,

  mcp: `${variables(origin)}
${installCli(origin)}

mkdir -p tidenet-agent
echo 'a note of an agent' > tidenet-agent/note.txt
echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"upload_file","arguments":{"file":"note.txt"}}}' | tidenet mcp --root "$PWD/tidenet-agent"`,
})

/** Stands for the folder of the agent. Clients start programs in folders of their own, so it is absolute. */
export const SAMPLE_FOLDER = '/home/you/tidenet-agent'

/** How clients of MCP are configured: the program on this computer, and the portal. */
export const mcpConfigurations = (origin: string) => ({
  local: `{
  "mcpServers": {
    "tidenet": {
      "command": "tidenet",
      "args": ["mcp", "--root", "${SAMPLE_FOLDER}"],
      "env": { "TIDENET_URL": "${origin}", "TIDENET_TOKEN": "${SAMPLE_KEY}" }
    }
  }
}`,
  portal: `{
  "mcpServers": {
    "tidenet": {
      "type": "http",
      "url": "${origin}/mcp",
      "headers": { "Authorization": "Bearer ${SAMPLE_KEY}" }
    }
  }
}`,
})
