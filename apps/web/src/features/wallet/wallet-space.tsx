/** As large as the linked wallet that appears there, so that what is below does not move under the pointer. */
export const WalletSpace = () => (
  <div className="mb-6 rounded-xl border border-line bg-surface px-4 py-2.5">
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="size-5" />
      <span className="min-h-9 flex-1 basis-60" />
      <span className="min-h-9 w-32" />
    </div>
  </div>
)
