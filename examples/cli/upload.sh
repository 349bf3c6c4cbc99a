# Uploads a file; interrupted, it goes on where it was when it is run again.
echo 'the tide comes in' > tide.txt
tidenet up tide.txt
