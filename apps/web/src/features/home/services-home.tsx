export function ServicesHome() {
  return null
}
