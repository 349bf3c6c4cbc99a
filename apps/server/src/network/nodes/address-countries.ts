import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { isPublicAddress } from '@tidenet/daemon'
import type { CountryResponse, Reader } from 'maxmind'
import { countryNamed } from './countries.ts'

const PACKAGED = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/** Opened databases by path. Each stays in memory once, in one buffer. */
const opened = new Map<string, Promise<Reader<CountryResponse>>>()

/** @param path of a database in MMDB format; '': the packaged one */
function databaseAt(path: string): Promise<Reader<CountryResponse>> {
  const known = opened.get(path)
  if (known) return known
  const open = async () => {
    const [bytes, { Reader }] = await Promise.all([
      readFile(path || createRequire(import.meta.url).resolve(PACKAGED)),
      import('maxmind'),
    ])
    return new Reader<CountryResponse>(bytes)
  }
  const database = open()
  opened.set(path, database)
  // The next call tries again.
  database.catch(() => opened.delete(path))
  return database
}

/** Converts an IPv4 address that is written as IPv6, and removes the zone. */
export const plainAddress = (ip: string): string => {
  const bare = ip.split('%')[0] ?? ''
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
}

/**
 * The country of a public address, by its name in area ids; undefined for private and reserved addresses, and if the database has none.
 * @throws if the database cannot be read
 */
export async function countryOfAddress(path: string, ip: string): Promise<string | undefined> {
  const address = plainAddress(ip)
  if (isIP(address) === 0 || !isPublicAddress(address)) return undefined
  // MaxMind and DB-IP name it `country.iso_code`; the packaged database has only `country_code`.
  const entry: (CountryResponse & { country_code?: string }) | null = (await databaseAt(path)).get(address)
  const code = entry?.country_code ?? entry?.country?.iso_code
  return code === undefined ? undefined : countryNamed(code)
}
