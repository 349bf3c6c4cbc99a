/** Error code if the operator's account has no second factor. */
export const NEEDS_SECOND_FACTOR = 1035
