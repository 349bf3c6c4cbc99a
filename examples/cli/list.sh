# Lists the files and folders of the account; with --json as one document for programs.
tidenet ls
tidenet ls --json
