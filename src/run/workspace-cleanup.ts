import type { Host } from '../model/host.ts'
import type { Result } from '../model/result.ts'

/** Removes the workspaces of recorded passes. Others stay: for you to inspect, or for a resumed run. */
export class WorkspaceCleanup {
  readonly #keepsAll: boolean
  readonly #host: Host
  readonly #removals = new Set<Promise<void>>()

  constructor({ keep_workspaces = false }: { readonly keep_workspaces?: boolean | undefined }, host: Host) {
    this.#keepsAll = keep_workspaces
    this.#host = host
  }

  /** The result as it is recorded: without a workspace that will be removed. */
  recorded(result: Result): Result {
    return this.#isRemovable(result) ? { ...result, workspace_path: undefined } : result
  }

  /** Removes or keeps the workspace of a result that is recorded. */
  settle(result: Result): void {
    const { workspace_path: path } = result
    if (path === undefined) return
    if (this.#isRemovable(result)) this.#remove(path)
    else this.#host.files.keepTemporaryFolder(path)
  }

  /** Waits until all removals are done. */
  async finished(): Promise<void> {
    await Promise.all(this.#removals)
  }

  #isRemovable({ workspace_path, verdict }: Result): boolean {
    return workspace_path !== undefined && verdict === 'pass' && !this.#keepsAll
  }

  #remove(path: string): void {
    const removal = this.#host.files.removeTemporaryFolder(path).then(
      () => {},
      () => {},
    )
    this.#removals.add(removal)
    removal.then(() => this.#removals.delete(removal))
  }
}
