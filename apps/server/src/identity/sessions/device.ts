import type { Device } from '@tidenet/contract'

/** The first that fits counts: most browsers also call themselves by the names of others. */
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
/** Programs without a window, by what their user agent begins with. */
const TOOLS: readonly [RegExp, string][] = [
  [/^curl\//, 'curl'],
  [/^Wget\//, 'Wget'],
  [/^python-requests\/|^Python-urllib\//, 'Python'],
  [/^Go-http-client\//, 'Go'],
  [/^(?:node|undici)\b/, 'Node.js'],
  [/^okhttp\//, 'OkHttp'],
  [/^PostmanRuntime\//, 'Postman'],
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

/** What a user agent says of itself. It is a claim: good for telling one's own devices apart, and for nothing else. */
export function deviceOf(agent: string): Device {
  const tool = TOOLS.find(([sign]) => sign.test(agent))
  if (tool) return { kind: 'program', program: tool[1], system: '' }
  const program = PROGRAMS.find(([sign]) => sign.test(agent))?.[1] ?? ''
  const [, system = '', kind = 'unknown' as const] = SYSTEMS.find(([sign]) => sign.test(agent)) ?? []
  return { kind, program, system }
}
