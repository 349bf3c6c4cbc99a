import type { Device } from '@tidenet/contract'

/** The first match counts: most browsers also name other browsers. */
const PROGRAMS: readonly [RegExp, string][] = [
  [/\bEdgA?(?:iOS)?\/\d/, 'Edge'],
  [/\bOPR\/\d|\bOPiOS\/\d/, 'Opera'],
  [/\bSamsungBrowser\/\d/, 'Samsung Internet'],
  [/\bMicroMessenger\/\d/, 'WeChat'],
  [/\bVivaldi\/\d/, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\/\d/, 'Firefox'],
  [/\bCriOS\/\d|\bHeadlessChrome\/\d|\bChrome\/\d/, 'Chrome'],
  [/\bVersion\/\d.*\bSafari\/\d/, 'Safari'],
]
/** Programs, by the start of their user agent. */
const TOOLS: readonly [RegExp, string][] = [
  [/^curl\//, 'curl'],
  [/^Wget\//, 'Wget'],
  [/^python-requests\/|^Python-urllib\//, 'Python'],
  [/^Go-http-client\//, 'Go'],
  [/^(?:node|undici)\b/, 'Node.js'],
  [/^okhttp\//, 'OkHttp'],
  [/^PostmanRuntime\//, 'Postman'],
  [/^tidenet-cli\//, 'Tidenet CLI'],
  [/^tidenet[\s/-]/i, 'Tidenet'],
]
const SYSTEMS: readonly [RegExp, string, Device['kind']][] = [
  [/\biPad\b/, 'iPadOS', 'tablet'],
  [/\biPhone\b|\biPod\b/, 'iOS', 'phone'],
  [/\bAndroid\b(?=.*\bMobile\b)/, 'Android', 'phone'],
  [/\bAndroid\b/, 'Android', 'tablet'],
  [/\bWindows Phone\b/, 'Windows', 'phone'],
  [/\bWindows NT\b/, 'Windows', 'computer'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS', 'computer'],
  [/\bLinux\b|\bX11\b/, 'Linux', 'computer'],
]

/** Parses a user agent. Clients can send anything, so use it only for display. */
export function deviceOf(agent: string): Device {
  const tool = TOOLS.find(([pattern]) => pattern.test(agent))
  if (tool) return { kind: 'program', program: tool[1], system: '' }
  const program = PROGRAMS.find(([pattern]) => pattern.test(agent))?.[1] ?? ''
  const [, system = '', kind = 'unknown' as const] = SYSTEMS.find(([pattern]) => pattern.test(agent)) ?? []
  return { kind, program, system }
}
