# What is in the account; --json gives one document for programs.
tidenet ls
tidenet ls --json
