/** The refusal that says that the operator's account has no second factor yet; the number of the catalogue. */
export const NEEDS_SECOND_FACTOR = 1035
