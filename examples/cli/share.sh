# Creates a link for seven days with a password.
tidenet share tide.txt --days 7 --password abc123
