import { ensureGoProgram } from '../go-program.mjs'

/** The server of MinIO, which benchmarks compare with: the path of the program; it is built in some minutes. @throws ToolError */
export const ensureMinio = () =>
  ensureGoProgram({
    name: 'minio',
    module: 'github.com/minio/minio',
    version: 'v0.0.0-20260212201848-7aac2a2c5b7c',
    sum: 'h1:/qdoYujxF5MBLDMVLeiYJ/7fBa1HikX39Dvzb9Ji8pA=',
    folder: 'minio',
    go: '1.24',
  })
