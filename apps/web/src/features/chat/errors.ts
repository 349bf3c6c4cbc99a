/** Error code if a visitor token is no longer valid; other invalid input has it too. */
export const VISITOR_INVALID = 1001
