/** Bytes of a kept thumbnail. */
export const THUMBNAIL_MAX = 24 << 10
/** Longest edge in px. Portals make them of 320 px: twice the displayed size, for high-density screens. */
export const THUMBNAIL_EDGE_MAX = 512
/** Thumbnails that one call returns. */
export const THUMBNAILS_A_CALL = 24
/** Thumbnails of an account; files beyond have none that is kept. */
export const THUMBNAILS_MAX = 20_000
