#!/usr/bin/env node
import module from 'node:module'

// Node 22 and newer keep the compiled code between starts.
;(module as { enableCompileCache?: () => void }).enableCompileCache?.()
void import('./cli/main.js').then(({ main }) => main())
